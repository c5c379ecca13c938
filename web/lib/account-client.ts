// The typed client of the account page; apart from the others, because the first screens do without it.
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { createClient } from '#shared/http/client.ts'
import { send } from './api.ts'

/** Every call of two-factor sign-in and of the email address, such as `factors.state()`. */
export const { email, factors } = createClient({ email: emailRoutes, factors: factorRoutes }, send)
