"""The steps of a day as machines: what may be chosen in each, and what the choices show."""
