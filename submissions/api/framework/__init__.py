"""The parts that all API views share: authentication, parameters, pages of lists, problem details, OpenAPI."""
