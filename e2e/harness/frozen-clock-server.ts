// The real server with a frozen clock, so that its generated prices are the same at every start. Started by its path.
import { frozenMs } from './frozen-time.ts'

Date.now = () => frozenMs

await import('#server/main.ts')
