// Saves an answer of our own server as a file; a plain link could not carry the session's token.
import { ApiError, problemSchema } from '#shared/http/errors.ts'
import { headersFor, readBody } from './api.ts'
import { session } from './storage.ts'

/** Rejects with an ApiError, like any call. There is no time limit: the file may be long. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await reach(path)
  if (!response.ok) {
    if (response.status === 401) session.clear()
    const problem = problemSchema.safeParse(readBody(await response.text()))
    throw new ApiError(response.status, problem.data ?? { message: '' })
  }
  saveFile(await response.blob(), fileName)
}

/** Saves what this page has made itself. */
export function saveFile(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

async function reach(path: string): Promise<Response> {
  try {
    return await fetch(path, {
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { ...headersFor({ method: 'GET', body: undefined }, session.token()), accept: 'text/csv, application/json' },
    })
  } catch (error) {
    throw new ApiError(0, { message: error instanceof Error ? error.message : '', code: 'network' })
  }
}
