// Encryption of backup files: AES-256-GCM in authenticated chunks, so that files of any size are read and written as streams.
//
// A file is a header (magic, key id, salt) and chunks of 256 KiB, each followed by its tag; only the last one may be shorter.
// Each file has its own key, derived from the backup key, the salt and the file's name in the backup, so that a file that was
// renamed or moved does not open. The nonce is the chunk's number and a flag for the last chunk, so that removed, repeated,
// reordered and missing chunks do not open either.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const magic = Buffer.from('TEZIBAK1')
const keyIdBytes = 8
const saltBytes = 32
const headerBytes = magic.length + keyIdBytes + saltBytes
const chunkBytes = 256 * 1024
const tagBytes = 16
const keyBytes = 32

/** Thrown with one line for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/** A file was encrypted with a key that is not set. */
export class WrongKey extends BackupError {
  override readonly name = 'WrongKey'
}

/**
 * Encrypts a stream of bytes.
 * @param key the backup key, 32 bytes
 * @param name of the file in the backup; needed to decrypt it
 */
export async function* encrypt(source: AsyncIterable<Buffer>, key: Buffer, name: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const fileKey = keyOfFile(key, salt, name)
  yield Buffer.concat([magic, keyIdOf(key), salt])
  let number = 0
  const seal = (plain: Buffer, isLast: boolean): Buffer => {
    const encryption = createCipheriv(cipher, fileKey, nonceOf(number++, isLast))
    return Buffer.concat([encryption.update(plain), encryption.final(), encryption.getAuthTag()])
  }
  const input = chunker(chunkBytes)
  for await (const bytes of source) {
    for (const plain of input.add(bytes)) yield seal(plain, false)
  }
  yield seal(input.rest(), true)
}

/**
 * Decrypts a stream that `encrypt` made with one of the keys. A chunk is passed on only after its tag was checked.
 * @throws BackupError for another key, another name, and for bytes that are changed, missing or too many
 */
export async function* decrypt(source: AsyncIterable<Buffer>, keys: readonly Buffer[], name: string): AsyncGenerator<Buffer> {
  let fileKey: Buffer | undefined
  let number = 0
  const open = (sealed: Buffer, isLast: boolean): Buffer => {
    if (fileKey === undefined || sealed.length < tagBytes) throw new BackupError(`${name} is damaged: it is cut off`)
    const decryption = createDecipheriv(cipher, fileKey, nonceOf(number++, isLast))
    decryption.setAuthTag(sealed.subarray(-tagBytes))
    try {
      return Buffer.concat([decryption.update(sealed.subarray(0, -tagBytes)), decryption.final()])
    } catch (error) {
      throw new BackupError(`${name} is damaged: its content was changed or cut off`, { cause: error })
    }
  }
  let head: Buffer = Buffer.alloc(0)
  const input = chunker(chunkBytes + tagBytes)
  for await (const bytes of source) {
    let body: Buffer = bytes
    if (fileKey === undefined) {
      head = Buffer.concat([head, bytes])
      if (head.length < headerBytes) continue
      fileKey = readHeader(head, keys, name)
      body = head.subarray(headerBytes)
    }
    for (const sealed of input.add(body)) yield open(sealed, false)
  }
  yield open(input.rest(), true)
}

function readHeader(head: Buffer, keys: readonly Buffer[], name: string): Buffer {
  if (!head.subarray(0, magic.length).equals(magic)) throw new BackupError(`${name} is not a backup file of this version of Tezi`)
  const keyId = head.subarray(magic.length, magic.length + keyIdBytes)
  const key = keys.find((known) => keyIdOf(known).equals(keyId))
  if (key === undefined) throw new WrongKey(`${name} was encrypted with another key than BACKUP_KEY`)
  return keyOfFile(key, head.subarray(magic.length + keyIdBytes, headerBytes), name)
}

/** Cuts bytes into chunks of one size. What may be the end is kept back for `rest`, also when it is a whole chunk. */
function chunker(size: number) {
  let parts: Buffer[] = []
  let length = 0
  return {
    *add(bytes: Buffer): Generator<Buffer> {
      parts.push(bytes)
      length += bytes.length
      if (length <= size) return
      let all = Buffer.concat(parts)
      for (; all.length > size; all = all.subarray(size)) yield all.subarray(0, size)
      parts = [all]
      length = all.length
    },
    rest: (): Buffer => Buffer.concat(parts),
  }
}

const keyIdOf = (key: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, '', 'tezi backup key id', keyIdBytes))

const keyOfFile = (key: Buffer, salt: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `tezi backup file ${name}`, keyBytes))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}
