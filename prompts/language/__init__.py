"""Plain wording of names and values, and the offline template writer; no model is used."""
