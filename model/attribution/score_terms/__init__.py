"""Why a head looks where it looks: a score as the sum of what parts of the query and parts of the key give together."""
