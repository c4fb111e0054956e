"""The game of Tragedy Looper itself: its words, rules and play, without web, solver or I/O."""
