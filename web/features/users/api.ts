// User calls for admins.
import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { isReversed } from '#shared/base/day-range.ts'
import { pathOf } from '#shared/http/route.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { adminScreensText, rolesText } from '#shared/users/text/en.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { adminRoutes, usersPerPage } from '#shared/users/contract.ts'
import type { Role, User } from '#shared/users/user.ts'
import { passwordRoutes } from '#shared/auth/password-contract.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { roleRoutes } from '#shared/auth/role-contract.ts'
import { call, replyOf, send } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { filterOf, type UserListParams } from './user-list-params.ts'

/** Prefix of all admin queries; invalidated after an action. */
const adminKey = ['admin'] as const
const usersKey = [...adminKey, 'users'] as const

export interface UserPage {
  readonly users: readonly User[]
  /** Total number of matches, counted up to 100,001; with a search up to 1,001. */
  readonly total: number
}

/** One page of users; the previous page stays visible while the next one loads. */
export function usersQuery(params: UserListParams) {
  return queryOptions({
    queryKey: [...usersKey, params],
    queryFn: ({ client: cache }) => readPage(params, cache),
    placeholderData: keepPreviousData,
    enabled: !isReversed(params),
    staleTime: 0,
  })
}

async function readPage(params: UserListParams, cache: QueryClient): Promise<UserPage> {
  try {
    const query = { ...filterOf(params), page: params.page, perPage: usersPerPage }
    const response = await send(adminRoutes.users, { query })
    const users = replyOf(adminRoutes.users, response)
    return { users, total: Number(response.headers.get('x-total-count') ?? users.length) }
  } catch (error) {
    if (apiErrorOf(error) !== undefined) throw error
    // The specification requires an invalid response to be logged only: the table stays as it was.
    console.error('The list of users could not be read', error)
    return shownPage(cache) ?? { users: [], total: 0 }
  }
}

/** The page that was read last. */
function shownPage(cache: QueryClient): UserPage | undefined {
  return cache
    .getQueryCache()
    .findAll({ queryKey: usersKey })
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .map((query) => query.state.data as UserPage | undefined)
    .find((page) => page !== undefined)
}

export const overviewQuery = queryOptions({
  queryKey: [...adminKey, 'overview'],
  queryFn: async () => (await call(adminRoutes.overview)).data,
  staleTime: 0,
})

export interface NewPassword {
  readonly email: string
  readonly newPassword: string
  /** Only, and always, for the own account. */
  readonly currentPassword?: string | undefined
}

/** Sets the password of an account; resolves to the server's message. Asks for the admin's password if the server requires it. */
export function useResetPassword() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ email, newPassword, currentPassword }: NewPassword) => {
      if (currentPassword === undefined)
        return (await withStepUp(() => call(passwordRoutes.resetPassword, { body: { email, newPassword } }))).message
      return (await call(passwordRoutes.changePassword, { body: { currentPassword, newPassword, confirmPassword: newPassword } })).message
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: [...adminKey, 'audit'] }),
    // Not cached after the call: the variables contain a password.
    gcTime: 0,
    meta: { failureText: adminText.passwordUpdateFailed },
  })
}

/** Removes the second factors of an account; resolves to the server's message. */
export function useResetTwoFactor() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (email: string) => (await withStepUp(() => call(factorRoutes.reset, { body: { email } }))).message,
    onSuccess: () => cache.invalidateQueries({ queryKey: [...adminKey, 'audit'] }),
    meta: { failureText: factorsText.actionFailed },
  })
}

/** Erases an unconfirmed account, so that its address is free; resolves to the server's message. */
export function useFreeAddress() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (address: string) => (await withStepUp(() => call(emailRoutes.free, { body: { email: address } }))).message,
    onSuccess: () => cache.invalidateQueries({ queryKey: adminKey }),
    meta: { failureText: adminScreensText.freeFailed },
  })
}

/** Makes an account an admin or a user; resolves to the server's message. */
export function useChangeRole() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (body: { readonly id: string; readonly role: Role }) =>
      (await withStepUp(() => call(roleRoutes.change, { body }))).message,
    onSettled: () => cache.invalidateQueries({ queryKey: adminKey }),
    meta: { failureText: rolesText.changeFailed },
  })
}

/** Downloads the filtered users as a CSV file. */
export function useExportUsers() {
  return useMutation({
    mutationFn: (params: UserListParams) =>
      withStepUp(() => download(pathOf(adminRoutes.exportUsers, { query: filterOf(params) }), 'users.csv')),
    meta: { failureText: adminScreensText.exportFailed },
  })
}
