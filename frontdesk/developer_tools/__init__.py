"""Tools of the command line for those who build applications. They reach the service as clients of the Open API."""
