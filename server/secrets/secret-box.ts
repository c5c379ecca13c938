// The server's root key (SECRET_KEY), the keys derived from it, one per purpose, with HKDF-SHA256, and secrets that the server
// reads back from the database, encrypted with AES-256-GCM under such a key.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from '../db/database.ts'

const keyBytes = 32

/** The 32-byte key of a purpose; the same in all processes of one installation. */
export type KeyFor = (purpose: string) => Buffer

/** The settings that keys are derived from; see `Config`. */
interface KeySettings {
  readonly secretKey: Buffer | undefined
  readonly serverSecret: string | undefined
  readonly dataDir: string
}

/** The key of one purpose. Keys of different purposes reveal nothing about each other or the root key. */
export function deriveKey(rootKey: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', rootKey, '', `tezi ${purpose}`, keyBytes))
}

/**
 * The encryption root key: `SECRET_KEY`, or else the file `secret-key` in `DATA_DIR`. It is never in the database,
 * so that a copy of the database alone reveals nothing. Encrypt with `secretBox(rootKey)` and a context such as
 * `totp:<user id>`; a feature that must not depend on a file of one machine uses `config.secretKey`.
 * @throws Error if the file contains no key
 */
export function rootKeyOf({ secretKey, dataDir }: KeySettings): Promise<Buffer> {
  return secretKey === undefined ? keyOfFolder(dataDir) : Promise.resolve(secretKey)
}

/**
 * Keys for signatures and keyed hashes, derived from `SECRET_KEY`. Without it they are derived from a random secret of the
 * database, which all servers on it share.
 * @throws Error if neither exists
 */
export async function loadServerKeys(db: Db, settings?: Pick<KeySettings, 'secretKey' | 'serverSecret'>): Promise<KeyFor> {
  const root = settings?.secretKey ?? settings?.serverSecret ?? (await storedSecret(db))
  return (purpose) => deriveKey(root, purpose)
}

async function storedSecret(db: Db): Promise<Buffer> {
  const row = await db.selectFrom('server_secrets').select('value').where('name', '=', 'server').executeTakeFirst()
  if (row === undefined) throw new Error('The table server_secrets is empty. Set SECRET_KEY, or restore the row from a backup.')
  return row.value
}

/**
 * The key of the file `secret-key` in the data folder, created on first use and readable by its owner only.
 * @throws Error if the file contains no key
 */
async function keyOfFolder(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'secret-key')
  await mkdir(dataDir, { recursive: true })
  const known = await readKey(file)
  if (known !== undefined) return known
  // Creating a link is atomic, and the second of two concurrent processes finds the first one's.
  const fresh = `${file}.${randomUUID()}.tmp`
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`)
    await handle.sync()
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(fresh, { force: true })
  }
  await flush(dataDir)
  const made = await readKey(file)
  if (made === undefined) throw new Error(`${file} could not be made`)
  return made
}

/** Makes the new file durable. Windows cannot open folders. */
async function flush(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== keyBytes) throw new Error(`${file} does not hold a key of ${keyBytes} bytes in base64`)
  return key
}

const ivBytes = 12
const tagBytes = 16
const keyIdBytes = 4
const cipher = 'aes-256-gcm'

export interface SecretBox {
  /** Encrypts a text so that it decrypts only with the same context, such as `totp:<user id>`. */
  seal(text: string, context: string): Buffer
  /** @throws SecretKeyError if it was sealed with another key; Error if it was changed or moved */
  open(sealed: Buffer, context: string): string
}

/** The value was encrypted with another key than this server has. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

interface BoxOptions {
  /** Purpose of the key; values of one purpose cannot be decrypted for another. */
  readonly purpose?: string
  /** The root key before the last rotation: still decrypts old values. */
  readonly previousKey?: Buffer | undefined
}

/** A box for the root key of `rootKeyOf`. The first bytes of a sealed value are the key id. */
export function secretBox(rootKey: Buffer, { purpose = 'secret box', previousKey }: BoxOptions = {}): SecretBox {
  const [current, ...others] = [rootKey, previousKey].filter((root) => root !== undefined).map((root) => namedKey(root, purpose))
  if (current === undefined) throw new Error('There is no key')
  const { key, keyId } = current
  return {
    seal(text, context) {
      const iv = randomBytes(ivBytes)
      const encryption = createCipheriv(cipher, key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
      return Buffer.concat([keyId, iv, encryption.getAuthTag(), body])
    },
    open(sealed, context) {
      const bodyAt = keyIdBytes + ivBytes + tagBytes
      const found = [current, ...others].find((each) => sealed.subarray(0, keyIdBytes).equals(each.keyId))
      if (found === undefined)
        throw new SecretKeyError('a secret in the database was encrypted with another SECRET_KEY or another secret-key file')
      const iv = sealed.subarray(keyIdBytes, keyIdBytes + ivBytes)
      const decryption = createDecipheriv(cipher, found.key, iv).setAAD(Buffer.from(context))
      decryption.setAuthTag(sealed.subarray(keyIdBytes + ivBytes, bodyAt))
      return Buffer.concat([decryption.update(sealed.subarray(bodyAt)), decryption.final()]).toString('utf8')
    },
  }
}

function namedKey(rootKey: Buffer, purpose: string): { readonly key: Buffer; readonly keyId: Buffer } {
  const key = deriveKey(rootKey, purpose)
  return { key, keyId: createHash('sha256').update(key).digest().subarray(0, keyIdBytes) }
}
