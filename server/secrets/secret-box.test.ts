// Keys: one setting, one key per purpose, and a file if nothing is set. Encryption: another context, key or byte is rejected.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { deriveKey, loadServerKeys, rootKeyOf, secretBox, SecretKeyError } from './secret-box.ts'
import { freshDatabase } from '../testing/database.ts'

let database: Database
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tezi-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => database.close())

const secretKey = Buffer.alloc(32, 5)
const serverSecret = 'a secret of thirty-two characters'
const folderKey = (dataDir: string) => rootKeyOf({ secretKey: undefined, serverSecret: undefined, dataDir })

test('an invalid key file stops the start', async () => {
  await writeFile(path.join(folder, 'secret-key'), 'short')
  await expect(folderKey(folder)).rejects.toThrow('does not hold a key of 32 bytes')
})

test('concurrent starts use one key, which only its owner can read', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => folderKey(path.join(folder, 'data'))))
  expect(new Set(keys.map(String)).size).toBe(1)
  const file = path.join(folder, 'data/secret-key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64').equals(keys[0] ?? Buffer.alloc(0))).toBe(true)
})

test('SECRET_KEY derives the keys of all purposes, and no two are the same', async () => {
  const keyFor = await loadServerKeys(database.db, { secretKey, serverSecret: undefined })
  expect(keyFor('device')).toEqual(deriveKey(secretKey, 'device'))
  expect(await rootKeyOf({ secretKey, serverSecret: undefined, dataDir: folder })).toBe(secretKey)
  const keys = ['device', 'idempotency', 'proof-of-work', 'secret box'].map((purpose) => keyFor(purpose).toString('hex'))
  expect(new Set([secretKey.toString('hex'), ...keys]).size).toBe(5)
})

test('the former SERVER_SECRET signs until SECRET_KEY is set, and never encrypts', async () => {
  const old = await loadServerKeys(database.db, { secretKey: undefined, serverSecret })
  expect(old('device')).toEqual(deriveKey(serverSecret, 'device'))
  const both = await loadServerKeys(database.db, { secretKey, serverSecret })
  expect(both('device')).toEqual(deriveKey(secretKey, 'device'))
  const root = await rootKeyOf({ secretKey: undefined, serverSecret, dataDir: folder })
  expect(root.equals(Buffer.from(serverSecret))).toBe(false)
})

test('without a setting all servers of a database sign with its own secret', async () => {
  const [one, two] = [await loadServerKeys(database.db), await loadServerKeys(database.db)]
  expect(one('device')).toEqual(two('device'))
})

const box = secretBox(Buffer.alloc(32, 1))

test('another context, another key and a changed byte are rejected', () => {
  const sealed = box.seal('secret', 'totp:a')
  expect(() => box.open(sealed, 'totp:b')).toThrow('unable to authenticate')
  expect(() => secretBox(Buffer.alloc(32, 2)).open(sealed, 'totp:a')).toThrow(SecretKeyError)
  for (let at = 4; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    expect(() => box.open(changed, 'totp:a')).toThrow('unable to authenticate')
  }
})

test('a sealed value opens again, differs each time, and does not contain the text', () => {
  const sealed = box.seal('secret', 'totp:a')
  expect(box.open(sealed, 'totp:a')).toBe('secret')
  expect(box.seal('secret', 'totp:a').equals(sealed)).toBe(false)
  expect(sealed.includes('secret')).toBe(false)
})

test('a value opens with the key before the last rotation, and only with the key of its own purpose', () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = secretBox(old, { purpose: 'broker connections' }).seal('secret', 'broker:a')
  const rotated = secretBox(fresh, { purpose: 'broker connections', previousKey: old })
  expect(rotated.open(sealed, 'broker:a')).toBe('secret')
  expect(rotated.open(rotated.seal('newer', 'broker:a'), 'broker:a')).toBe('newer')
  expect(() => secretBox(old, { purpose: 'broker connections' }).open(rotated.seal('x', 'broker:a'), 'broker:a')).toThrow(SecretKeyError)
  expect(() => secretBox(old).open(sealed, 'broker:a')).toThrow(SecretKeyError)
})
