"""The Open API as tools of the Model Context Protocol, for programs that act for a person."""
