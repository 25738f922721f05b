"""One module for each kind of answer: amounts, dates, truth values, and words."""
