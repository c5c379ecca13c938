// Acts that want the password again: asks for it when the server says so, and repeats the call once.
import { client } from './api.ts'
import { refusalOf } from './failure.ts'

/** Resolves to true as soon as the password was confirmed, to false when the person gives up. */
type Ask = () => Promise<boolean>

const hosts: Ask[] = []

/** Puts a dialog in charge; the one that came last is asked, because it lies on top. Returns the way to stop. */
export function hostStepUp(ask: Ask): () => void {
  hosts.push(ask)
  return () => {
    const at = hosts.lastIndexOf(ask)
    if (at >= 0) hosts.splice(at, 1)
  }
}

/** Makes the call, and once more after the password was confirmed where it was refused for the want of that. */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const ask = refusalOf(error)?.code === 'auth.confirm-password' ? hosts.at(-1) : undefined
    if (ask === undefined || !(await ask())) throw error
    return call()
  }
}

/** Gives the own password again. */
export async function confirmPassword(password: string): Promise<void> {
  await client.self.confirm({ body: { password } })
}
