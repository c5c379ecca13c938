// Preloaded into what bootstrap.mjs starts: stops this process when bootstrap.mjs is gone, so that nothing is left behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The channel alone must not keep a finished program alive.
process.channel?.unref()
