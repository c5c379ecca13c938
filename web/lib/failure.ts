// Reads what went wrong out of anything thrown, without loading the contract for it.
import type { ApiError } from '#shared/http/errors.ts'

/** The refusal that the server or the network gave, or undefined where the error is a bug of ours. */
export function refusalOf(error: unknown): ApiError | undefined {
  // By name: the class itself would pull the schemas into the first load of the landing page.
  return error instanceof Error && error.name === 'ApiError' ? (error as ApiError) : undefined
}

/** The server's own sentence, or undefined where no answer came or it was not a refusal. */
export function serverMessageOf(error: unknown): string | undefined {
  const refusal = refusalOf(error)
  return refusal !== undefined && refusal.status > 0 && refusal.message !== '' ? refusal.message : undefined
}
