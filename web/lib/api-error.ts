// Extracts an API error from an unknown thrown value without importing zod.
import type { ApiError } from '#shared/http/api-error.ts'

/** The API or network error, or undefined for any other error. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  // By name: importing the class would add the schemas to the first load of the landing page.
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : undefined
}

/** The server's message, or undefined without a response or for any other error. */
export function serverMessageOf(error: unknown): string | undefined {
  const rejection = apiErrorOf(error)
  return rejection !== undefined && rejection.status > 0 && rejection.message !== '' ? rejection.message : undefined
}
