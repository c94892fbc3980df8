"""The REST base of all nouns: view sets, serializers, filters, paging, trees, spreadsheets, the OpenAPI document."""
