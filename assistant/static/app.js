// Conveniences only: everything works without them.

// A second tap on a button must not send the form a second time.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  else event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
