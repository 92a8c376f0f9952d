"""What makes each type of event happen in a sandbox, by the calls that an application makes too."""
