"""What was found, in words: findings, what lines cost, the report and its forms."""
