// Encrypts secrets that the server has to read back from the database: AES-256-GCM under the server's secret key.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deriveKey } from './secret-key.ts'

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
