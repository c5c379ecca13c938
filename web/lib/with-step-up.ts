// Re-authentication: prompts for the password when the server requires it, and repeats the call once.
import { apiErrorOf } from './api-error.ts'

/** Resolves to true once the password is confirmed, to false when the user cancels. */
type PasswordPrompt = () => Promise<boolean>

const prompts: PasswordPrompt[] = []

/** Registers a dialog; the latest one prompts, because it is on top. Returns the unregister function. */
export function registerStepUpPrompt(prompt: PasswordPrompt): () => void {
  prompts.push(prompt)
  return () => {
    const at = prompts.lastIndexOf(prompt)
    if (at >= 0) prompts.splice(at, 1)
  }
}

/** Makes the call, and repeats it once if it was rejected for lack of a recent password and the user confirmed it. */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const prompt = apiErrorOf(error)?.code === 'admin.confirmPassword' ? prompts.at(-1) : undefined
    if (prompt === undefined || !(await prompt())) throw error
    return call()
  }
}
