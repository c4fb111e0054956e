"""What the Protagonists use: tracking, deduction, explanation and the pages that show them."""
