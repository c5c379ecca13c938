// Preloaded into child processes: stops the process when its parent is gone, so that nothing is left running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The IPC channel alone must not keep a finished program alive.
process.channel?.unref()
