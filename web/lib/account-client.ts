// Typed API client of the account page; separate, so that the first screens do not load it.
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { roleRoutes } from '#shared/auth/role-contract.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { createClient } from '#shared/http/client.ts'
import { send } from './api.ts'

/** Calls for two-factor sign-in, email address and roles, for example `factors.state()`. */
export const { email, factors, roles } = createClient({ email: emailRoutes, factors: factorRoutes, roles: roleRoutes }, send)
