// Re-authentication: prompts for the password when the server requires it, and repeats the call once.
import { apiErrorOf } from './api-error-of.ts'

/** Resolves to true once the password is confirmed, to false when the user cancels. */
type Ask = () => Promise<boolean>

const hosts: Ask[] = []

/** Registers a dialog; the latest one prompts, because it is on top. Returns the unregister function. */
export function hostStepUp(ask: Ask): () => void {
  hosts.push(ask)
  return () => {
    const at = hosts.lastIndexOf(ask)
    if (at >= 0) hosts.splice(at, 1)
  }
}

/** Makes the call, and repeats it once if it was rejected for lack of a recent password and the user confirmed it. */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const ask = apiErrorOf(error)?.code === 'admin.confirmPassword' ? hosts.at(-1) : undefined
    if (ask === undefined || !(await ask())) throw error
    return call()
  }
}
