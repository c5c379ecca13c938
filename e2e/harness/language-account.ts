// Subscription, account page and banners in the pseudo-locale.
import type { Page } from '@playwright/test'
import { codeOf } from '../../server/testing/factors.ts'
import { text, type Walk } from './languages.ts'
import { addPerson, addRequest, callAs, password, type Person } from './people.ts'
import { press, see } from './see.ts'
import { sql } from './sql.ts'

const { account, brokers, factors, market, privacy, purchase, subscriptions, subscriptionEnd } = text

async function setUser(person: Person, change: string): Promise<void> {
  await sql(`update users set ${change} where email = $1`, [person.email], person.server?.databaseUrl)
}

async function openPremium(page: Page): Promise<void> {
  await page.getByRole('button', { name: market.seePremium }).click()
  await page.getByRole('dialog', { name: subscriptions.dialogTitle }).waitFor()
}

async function purchases({ open, look, server }: Walk): Promise<void> {
  const buyer = await addPerson('free', server)
  const page = await open('/eur-usd', { as: buyer })
  await openPremium(page)
  const dialog = page.getByRole('dialog', { name: subscriptions.dialogTitle })
  await dialog.getByRole('radio').first().waitFor()
  await look(page, 'premium dialog')
  await press(page, purchase.submit)
  await see(page, subscriptions.selectOption)
  await look(page, 'premium dialog without a plan')
  for (const at of [0, 1]) {
    await dialog.getByRole('radio').nth(at).check()
    await press(page, purchase.submit)
    await look(page, `premium dialog with plan ${at + 1} and its error`)
  }
  await page.getByLabel(purchase.orderId).fill('123')
  await press(page, purchase.submit)
  await see(page, subscriptions.orderIdInvalid)
  await look(page, 'premium dialog with an invalid order ID')
  await page.getByLabel(purchase.orderId).fill(String(Date.now()).padStart(18, '6'))
  await press(page, purchase.submit)
  await see(page, subscriptions.submitted)
  await look(page, 'submitted payment')

  const waiting = await addRequest(server)
  const pending = await open('/eur-usd', { as: waiting })
  await openPremium(pending)
  await look(pending, 'pending request')
  const [row] = await sql<{ id: string }>('select id from users where email = $1', [waiting.email], server.databaseUrl)
  await callAs(await addPerson('admin', server), 'POST', '/admin/userstatus', { id: row?.id, status: false })
  await pending.reload()
  await openPremium(pending)
  await see(pending, subscriptionEnd.titles.declined)
  await look(pending, 'declined request')
}

async function ends({ open, look, server }: Walk): Promise<void> {
  const ending = await addPerson('premium', server)
  await setUser(ending, `premium_end = now() + interval '3 days'`)
  const page = await open('/btc-usd', { as: ending, engine: 'tezi' })
  await page.getByTestId('chart-legend').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: subscriptionEnd.renew }).waitFor()
  await look(page, 'banner of an end that is near')
  await press(page, subscriptionEnd.renew)
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
  await look(page, 'renewal')

  const expired = await addPerson('premium', server)
  await setUser(expired, `premium_start = now() - interval '40 days', premium_end = now() - interval '1 day'`)
  const over = await open('/eur-usd', { as: expired })
  await over.getByRole('button', { name: subscriptionEnd.renew }).first().waitFor()
  await look(over, 'banner of an expired term')
  await over.goto('/account')
  await see(over, account.sessions)
  await look(over, 'account of an expired term')

  const undecided = await addPerson('free', server)
  await setUser(undecided, 'consent_notice = null')
  const asked = await open('/', { as: undecided })
  await see(asked, privacy.consentMissing)
  await look(asked, 'banner about consent')
  await asked.goto('/account')
  await see(asked, privacy.consentMissing)
  await press(asked, privacy.agree)
  await look(asked, 'consent on the account page')

  const temporary = await addPerson('free', server)
  await setUser(temporary, 'password_is_temporary = true')
  const gated = await open('/', { as: temporary })
  await see(gated, privacy.temporaryTitle)
  await press(gated, privacy.temporarySubmit)
  await look(gated, 'temporary password')
}

async function accountPage({ open, look, server }: Walk): Promise<void> {
  const person = await addPerson('premium', server)
  await setUser(person, 'email_confirmed_at = null')
  const utrNo = String(Date.now()).slice(-12).padStart(12, '4')
  await callAs(person, 'POST', '/user/payment', { utrNo, Months: 1, price: 999, type: 'regular' })
  const page = await open('/account', { as: person })
  await see(page, brokers.encrypted)
  await see(page, account.endSession)
  await look(page, 'account')
  await press(page, account.passwordSubmit)
  await look(page, 'errors of the account page')
  for (const [opener, screen] of [
    [privacy.withdraw, 'withdrawal of consent'],
    [privacy.erase, 'erasure'],
  ] as const) {
    await press(page, opener)
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).first()
    await dialog.waitFor()
    await look(page, screen)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  const form = page.getByRole('form', { name: brokers.chooseOpenAlgo })
  await form.getByRole('button', { name: brokers.connectOpenAlgo }).click()
  await form.locator('[aria-invalid=true]').first().waitFor()
  await look(page, 'errors of a broker')
}

async function brokerStates({ open, look, server }: Walk): Promise<void> {
  const person = await addPerson('premium', server)
  await callAs(person, 'POST', '/user/broker/kite', { apiKey: 'key', apiSecret: 'secret' })
  const page = await open('/account', { as: person })
  for (const [state, change] of [
    ['login', 'session_at = null'],
    ['connected', `session_at = now(), expires_at = now() + interval '1 hour'`],
    ['error', 'refused_at = now()'],
    ['expired', `expires_at = now() - interval '1 hour'`],
  ] as const) {
    const ofPerson = 'user_id = (select id from users where email = $1)'
    await sql(`update broker_connections set ${change} where ${ofPerson}`, [person.email], server.databaseUrl)
    await page.reload()
    await see(page, brokers.state[state])
    await look(page, `broker connection: ${state}`)
  }
  await press(page, brokers.disconnect)
  await page.getByRole('alertdialog').waitFor()
  await look(page, 'disconnection of a broker')
  await page.goto('/reliance')
  await page.getByRole('link', { name: brokers.chartNoticeLink }).waitFor()
  await look(page, 'notice of an ended broker session')
}

async function passkeys({ open, look, server }: Walk): Promise<void> {
  const person = await addPerson('free', server)
  const name = 'Asha Rao'
  await setUser(person, 'second_factor_since = now()')
  await sql(
    `insert into passkeys (id, user_id, name, public_key, counter, transports, created_at)
     select 'walk-' || id, id, $2, '\\x00', 0, '{}', now() from users where email = $1`,
    [person.email, name],
    server.databaseUrl,
  )
  const page = await open('/account', { as: person })
  await see(page, factors.passkeyNote)
  await look(page, 'account with a passkey')
  await press(page, factors.passkeyRemoveOf(name))
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor()
  await look(page, 'removal of a passkey')
}

async function secondFactor({ open, look, server }: Walk): Promise<void> {
  const person = await addPerson('free', server)
  const page = await open('/account', { as: person })
  await press(page, factors.appAdd)
  await page.getByRole('img', { name: factors.setupQr }).waitFor()
  await look(page, 'set-up of an authenticator app')
  await press(page, factors.setupSubmit)
  await look(page, 'set-up without a code')
  const href = await page.getByRole('link', { name: factors.setupOpen }).getAttribute('href')
  const secret = new URL(href ?? '').searchParams.get('secret') ?? ''
  await page.getByLabel(factors.setupCode).fill(codeOf(secret, Date.now()))
  await press(page, factors.setupSubmit)
  await page.getByRole('list', { name: factors.codesTitle }).waitFor()
  await look(page, 'recovery codes')
  await press(page, factors.codesDone)
  await page.getByRole('button', { name: factors.codesNew }).waitFor()
  await look(page, 'account with two-factor sign-in')

  const entry = await open('/login')
  await entry.getByRole('textbox', { name: text.login.email }).fill(person.email)
  await entry.getByRole('textbox', { name: text.login.password }).fill(password)
  await press(entry, text.login.signInSubmit)
  await see(entry, factors.codeIntro)
  await press(entry, factors.codeSubmit)
  await see(entry, factors.codeShape)
  await look(entry, 'code at sign-in')
  await press(entry, factors.toRecovery)
  await look(entry, 'recovery code at sign-in')
}

async function withdrawnConsent({ open, look, server }: Walk): Promise<void> {
  const page = await open('/account', { as: await addPerson('premium', server) })
  await press(page, privacy.withdraw)
  await page.getByRole('alertdialog').getByRole('button', { name: privacy.withdraw }).click()
  await see(page, privacy.withdrawn)
  await look(page, 'account of withdrawn consent')
}

async function endedSession({ open, look, server }: Walk): Promise<void> {
  const person = await addPerson('premium', server)
  const page = await open('/account', { as: person })
  await see(page, brokers.encrypted)
  await sql('delete from sessions where user_id = (select id from users where email = $1)', [person.email], server.databaseUrl)
  await page.reload()
  await see(page, text.sessionEnded.title)
  await look(page, 'sign-in after an ended session')
  await page.getByRole('textbox', { name: text.login.password }).fill(`${password}x`)
  await press(page, text.sessionEnded.submit)
  await see(page, text.auth.credentialsWrong)
  await look(page, 'wrong password')
}

export const accountWalks = {
  'premium dialog': purchases,
  'banners and their pages': ends,
  'account page': accountPage,
  'broker connections': brokerStates,
  'second factor': secondFactor,
  passkeys,
  'withdrawn consent': withdrawnConsent,
  'ended session': endedSession,
}
