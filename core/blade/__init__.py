"""The HTTP conventions of the Blade family of clients: response envelope, routes, parameters, second addresses."""
