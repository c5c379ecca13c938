// Creates every service of the server once, for the HTTP app and the jobs of the process.
import path from 'node:path'
import type { Site } from '#shared/base/site.ts'
import type { Db } from './db/database.ts'
import { auditService } from './features/audit/service.ts'
import { accountAdminService } from './features/auth/account-admin-service.ts'
import { EmailService } from './features/auth/email-service.ts'
import { FactorService } from './features/auth/factors/factor-service.ts'
import { PasskeyService } from './features/auth/factors/passkey-service.ts'
import { SignInChallenge } from './features/auth/factors/sign-in-challenge.ts'
import type { PasswordHasher } from './features/auth/password-hasher.ts'
import { PasswordService } from './features/auth/password-service.ts'
import { AuthService } from './features/auth/service.ts'
import { BrokerService } from './features/brokers/service.ts'
import { errorReportsService } from './features/error-reports/service.ts'
import { chartService } from './features/chart/service.ts'
import { instrumentSettings } from './features/instruments/instrument-settings.ts'
import { instrumentsService } from './features/instruments/service.ts'
import { landingService } from './features/landing/service.ts'
import { candleBudget, noCandleBudget } from './features/market-data/history/candle-budget.ts'
import { candlesService, type BrokerMarketOf } from './features/market-data/history/candles-service.ts'
import { marketData, type MarketWiring } from './features/market-data/live/market-data.ts'
import { BrokerMarkets, type BrokerAdapters } from './features/market-data/broker/broker-markets.ts'
import { plansService } from './features/plans/service.ts'
import { privacyService } from './features/privacy/service.ts'
import { subscriptionsService } from './features/subscriptions/service.ts'
import type { Presence } from './features/users/presence.ts'
import { usersService } from './features/users/service.ts'
import { SocketPresence } from './features/users/socket-presence.ts'
import { workspaceService } from './features/workspace/service.ts'
import { databaseIdempotency } from './http/idempotency.ts'
import type { RateLimiter } from './http/rate-limiter.ts'
import { proofOfWork } from './http/proof-of-work.ts'
import { mailService, type MailService } from './mail/mail-service.ts'
import type { Mailer, MailQueue } from './mail/mailer.ts'
import type { KeyFor, SecretBox } from './secrets/secret-box.ts'

export interface ServicesDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  /** False for load tests: disables the candle limits per user. */
  readonly hasRateLimits?: boolean
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly keyFor: KeyFor
  readonly proofBits?: number
  readonly market: MarketWiring
  readonly brokers: BrokerAdapters
  readonly now: () => number
  /** Handles errors of background work. */
  readonly onError: (error: unknown) => void
  /** Undefined if mail is disabled. */
  readonly mailer: Mailer | undefined
  readonly mailQueue?: MailQueue | undefined
  /** Origin of links in mails. */
  readonly linkOrigin: string
  readonly publicOrigin: string | undefined
  readonly site: Site
  /** True if the landing page shows counts instead of the configured claims. */
  readonly hasLiveClaims?: boolean
  readonly secretBox: SecretBox
  /** True if admins must use two-factor sign-in. */
  readonly needsAdminFactor: boolean
  readonly webRoot: string | undefined
}

export type Services = ReturnType<typeof composeServices>

/** Creates all services from the adapters of the process. `close` waits for their background work. */
export function composeServices(deps: ServicesDeps) {
  const { db, rateLimiter, presence, keyFor, now, onError, linkOrigin } = deps
  const { brandName } = deps.site
  const hasRateLimits = deps.hasRateLimits !== false
  const monotonic = () => deps.market.clock.monotonic()
  const mails = mailService(deps)
  const common = { db, rateLimiter, presence, now, mails, brandName, onError }

  const audit = auditService({ db, rateLimiter, now })
  const accounts = accountServices(deps, common)
  const data = marketData(deps.market, onError)
  const brokers = new BrokerService({ ...deps.brokers, ...common, origin: linkOrigin })
  const brokerMarkets = new BrokerMarkets({ ...deps.brokers, db, accounts: brokers.accounts, onError })
  const brokerMarketOf: BrokerMarketOf = (viewer, instrument) => brokerMarkets.marketOf(viewer, instrument)
  const settings = instrumentSettings({ db, now, onError })
  const isHidden = (slug: string): boolean => settings.isHidden(slug)
  const { views } = data
  const shown = { ...data, isHidden, sources: views, now: () => deps.market.clock.now() }
  const users = usersService({ db, rateLimiter, presence, now })
  const plans = plansService({ db, audit, now })
  const landing = landingService({
    site: deps.site,
    hasLiveClaims: deps.hasLiveClaims === true,
    offers: () => plans.offers(),
    countUsers: () => users.count(),
    isHidden,
    now,
    onError,
  })
  const workspaces = workspaceService({ db, now })
  const pages = new SocketPresence({ presence, clock: deps.market.clock, onError })

  // The build moves its source maps next to the public folder.
  const sourceMaps = deps.webRoot === undefined ? undefined : path.join(deps.webRoot, '../source-maps')

  return {
    audit,
    ...accounts,
    brokers,
    own: brokerMarkets,
    chart: chartService({ db, now, onError, settings, market: deps.market, views, brokerMarketOf }),
    instruments: instrumentsService({ db, market: deps.market, views, settings, now }),
    isHidden,
    /** Preloads the instrument settings; if the database is unavailable, they are read later. */
    prepare: () => settings.hidden().then(() => undefined, onError),
    views,
    candles: candlesService(shown, brokerMarketOf),
    budget: hasRateLimits ? candleBudget(monotonic) : noCandleBudget,
    workspaces,
    landing,
    users,
    pages,
    plans,
    subscriptions: subscriptionsService({ db, rateLimiter, now }),
    privacy: privacyService({ db, rateLimiter, presence, now, onError }),
    errorReports: errorReportsService({ rateLimiter, sourceMaps }),
    idempotency: databaseIdempotency({ db, rateLimiter, key: keyFor('idempotency'), now, onError }),
    async close(): Promise<void> {
      await Promise.all([pages.close(), brokerMarkets.close(), data.views.close(), mails.settle()])
    },
  }
}

interface CommonDeps extends Pick<ServicesDeps, 'db' | 'rateLimiter' | 'presence' | 'now' | 'onError'> {
  readonly mails: MailService
  readonly brandName: string
}

/** Sign-in, passwords and second factors. */
function accountServices(deps: ServicesDeps, common: CommonDeps) {
  const { rateLimiter, hasher, keyFor, now, linkOrigin, needsAdminFactor } = deps
  const proofs = proofOfWork({ rateLimiter, key: keyFor('proof-of-work'), now, bits: deps.proofBits })
  const emails = new EmailService({ ...common, linkOrigin })
  const passwords = new PasswordService({ ...common, hasher, proofs, linkOrigin })
  const deviceKey = keyFor('device')
  const auth = new AuthService({
    ...common,
    hasher,
    deviceKey,
    proofs,
    emails,
    claimAddress: common.mails.isEnabled ? (...claim) => passwords.claimAddress(...claim) : undefined,
    needsAdminFactor,
  })
  const factors = new FactorService({ ...common, needsAdminFactor, box: deps.secretBox })
  const passkeys = new PasskeyService({ ...common, factors, origin: deps.publicOrigin })
  const signInChallenge = new SignInChallenge({ ...common, auth, passkeys, deviceKey, box: deps.secretBox })
  const accountAdmin = accountAdminService(common)
  return { auth, emails, factors, passkeys, signInChallenge, passwords, accountAdmin }
}
