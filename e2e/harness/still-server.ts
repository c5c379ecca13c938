// The real server with a clock that stands still, so that its generated prices are the same at every start. Started by its path.
import { standingMs } from './standing-clock.ts'

Date.now = () => standingMs

await import('#server/main.ts')
