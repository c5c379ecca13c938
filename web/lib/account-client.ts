// Typed API client of the account page; separate, so that the first screens do not load it.
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { createClient } from '#shared/http/client.ts'
import { send } from './api.ts'

/** Calls for two-factor sign-in and email address, for example `factors.state()`. */
export const { email, factors } = createClient({ email: emailRoutes, factors: factorRoutes }, send)
