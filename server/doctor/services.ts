// Checks that need another server and an adapter: mail and Redis.
import { failed, ok, warning, type CheckResult } from './check.ts'

/** A call that resolves if the server accepts us. Its errors must not contain passwords. */
export type Verify = (signal: AbortSignal) => Promise<void>

/** @param verify connects and signs in to the mail server; undefined without `SMTP_URL` */
export async function checkMail(verify: Verify | undefined, signal: AbortSignal): Promise<CheckResult> {
  const name = 'mail'
  if (verify === undefined)
    return warning(name, 'SMTP_URL is not set: users cannot reset passwords by mail', 'Set SMTP_URL: docs/operating/configuration.md')
  try {
    await verify(signal)
    return ok(name, 'the mail server accepts the connection and the sign-in')
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return failed(name, `the mail server refuses: ${found}`, 'Correct SMTP_URL. Many hosts block port 25: use 465 or 587.')
  }
}

/** @param verify sends PING */
export async function checkRedis(verify: Verify, signal: AbortSignal): Promise<CheckResult> {
  const name = 'redis'
  try {
    await verify(signal)
    return ok(name, 'answers')
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return failed(name, `does not answer: ${found}`, 'Is Redis or Valkey running, and is REDIS_URL right?')
  }
}
