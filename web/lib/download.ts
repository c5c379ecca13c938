// Downloads a response of our server as a file; a plain link could not send the session token.
import { ApiError, problemSchema } from '#shared/http/api-error.ts'
import { headersFor, networkError, readBody, restoreSession } from './api.ts'
import { inPageLanguage } from './page-language.ts'
import { session } from './browser-storage.ts'

/** Rejects with an ApiError, like any call. No timeout: the file may be large. */
export async function download(path: string, fileName: string): Promise<void> {
  const token = session.token()
  const headers = { ...headersFor({ method: 'GET', body: undefined }, token), accept: 'text/csv, application/json' }
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', headers }).catch((error: unknown) => {
    throw networkError(error)
  })
  if (!response.ok) {
    const body = inPageLanguage(readBody(await response.text()))
    if (await restoreSession(token, response.status, body)) return download(path, fileName)
    throw new ApiError(response.status, problemSchema.safeParse(body).data ?? { message: '' })
  }
  saveFile(await response.blob(), fileName)
}

/** Saves a file created by this page. */
export function saveFile(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser reads the URL after this task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
