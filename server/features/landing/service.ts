// What the landing page says of today: prices of the plans, and live counts where the operator chose them.
import { RevalidatedValue } from '#server/outages/revalidated-value.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { formatMoney } from '#shared/base/format-money.ts'
import type { Claim, Site } from '#shared/base/site.ts'
import { timeframes } from '#shared/candles/timeframe.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { currencyOf, monthLabel, type PlanType } from '#shared/plans/plan.ts'
import { landingText as text } from '#shared/landing/text/en.ts'

const pricesFreshMs = 10 * secondMs
const countsFreshMs = 5 * minuteMs

interface Offer {
  readonly type: PlanType
  readonly price: number
  readonly month: number
}

export interface LandingOptions {
  readonly site: Site
  readonly hasLiveClaims: boolean
  readonly offers: () => Promise<readonly Offer[]>
  readonly countUsers: () => Promise<number>
  readonly isHidden: (slug: string) => boolean
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** Reads the settings with today's facts. They are the same object until a fact changes; after an error, and while the database does not answer, the last facts stay. */
export function landingService({ site, hasLiveClaims, offers, countUsers, isHidden, now, onError }: LandingOptions): () => Promise<Site> {
  const unknown = { regular: text.priceUnknown, crypto: text.priceUnknown }
  const prices = new RevalidatedValue({
    initial: unknown,
    freshMs: pricesFreshMs,
    read: async () => pricesOf(await offers()),
    now,
    onError,
  })
  const readClaims = async () => (hasLiveClaims ? liveClaims(await countUsers(), isHidden) : site.claims)
  // The operator's own figures are not the counts that live claims promise.
  const initial = hasLiveClaims ? liveClaims(undefined, isHidden) : site.claims
  const claims = new RevalidatedValue({ initial, freshMs: countsFreshMs, read: readClaims, now, onError })
  let current: Site = { ...site, prices: unknown }
  return async () => {
    const [newPrices, newClaims] = await Promise.all([prices.get(), claims.get()])
    const facts = { prices: newPrices, claims: newClaims }
    if (JSON.stringify([current.prices, current.claims]) !== JSON.stringify([facts.prices, facts.claims])) current = { ...site, ...facts }
    return current
  }
}

function pricesOf(offers: readonly Offer[]): Site['prices'] {
  const priceOf = (type: PlanType) => {
    const offer = offers.find((one) => one.type === type)
    return offer === undefined ? text.priceNone : text.price(formatMoney(offer.price, currencyOf[type]), monthLabel(offer.month))
  }
  return { regular: priceOf('regular'), crypto: priceOf('crypto') }
}

/** @param users undefined while they are not counted yet */
function liveClaims(users: number | undefined, isHidden: (slug: string) => boolean): readonly Claim[] {
  const shown = instruments.filter(({ slug }) => !isHidden(slug))
  const [charts, analysts, assets] = text.liveClaims
  return [
    { figure: String(shown.length), what: charts },
    { figure: users?.toLocaleString('en-IN') ?? '–', what: analysts },
    { figure: String(new Set(shown.map(({ symbol }) => symbol)).size), what: assets },
    { figure: String(timeframes.length), what: text.liveTimeframes },
  ]
}
