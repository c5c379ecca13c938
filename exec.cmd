@rem What `exec` of the start script in package.json is on Windows; elsewhere it replaces the shell that would swallow signals.
@%*
