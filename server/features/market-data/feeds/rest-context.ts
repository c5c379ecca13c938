// Shared parts of the REST calls to one exchange.
import type { HttpJson } from './json-http-client.ts'
import type { ProviderClock } from './provider-clock.ts'
import type { RequestBudget } from './rate-limiter.ts'

export interface RestParts {
  readonly http: HttpJson
  readonly budget: RequestBudget
  readonly time: ProviderClock
  readonly restUrl: string
}
