"""The rule text: roles, plots and incidents as data, and the questions asked of it."""
