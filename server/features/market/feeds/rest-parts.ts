// What the calls of one exchange's REST interface share.
import type { HttpJson } from './http-json.ts'
import type { ProviderClock } from './provider-clock.ts'
import type { RequestBudget } from './request-budget.ts'

export interface RestParts {
  readonly http: HttpJson
  readonly budget: RequestBudget
  readonly time: ProviderClock
  readonly restUrl: string
}
