// A software passkey authenticator: ES256 keys, attestation "none". Its responses can be altered to test rejections.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface Credential {
  readonly id: string
  readonly privateKey: KeyObject
  /** COSE. */
  readonly publicKey: Buffer
  counter: number
}

/** The page of the authenticator, and its counter. */
export interface DeviceContext {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  /** The next number by default; always 0 for devices without a counter. */
  readonly counter?: number
}

/** Creates a key pair without a signature: the response to `startPasskey`. */
export function register(context: DeviceContext): { readonly credential: Credential; readonly response: { id: string } } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  // Key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), then the point.
  const cose = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), point(x), Buffer.from('225820', 'hex'), point(y)])
  const credential = { id: id.toString('base64url'), privateKey, publicKey: cose, counter: context.counter ?? 0 }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const attested = Buffer.concat([Buffer.alloc(16), length, id, cose])
  const authData = Buffer.concat([authenticatorData(context.rpId, 0x45, credential.counter), attested])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(authData.length)
  // { fmt: "none", attStmt: {}, authData }
  const attestationObject = Buffer.concat([
    Buffer.from('a3', 'hex'),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from('a0', 'hex'),
    text('authData'),
    Buffer.from('59', 'hex'),
    size,
    authData,
  ])
  const answer = { clientDataJSON: clientData('webauthn.create', context), attestationObject: attestationObject.toString('base64url') }
  return { credential, response: envelope(credential.id, { ...answer, transports: ['internal'] }) }
}

/** Signs a sign-in challenge: the response to `passkeyOptions`. */
export function authenticate(credential: Credential, context: DeviceContext) {
  credential.counter = context.counter ?? credential.counter + 1
  const data = authenticatorData(context.rpId, 0x05, credential.counter)
  const clientDataJSON = clientData('webauthn.get', context)
  const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
  const signature = sign('sha256', signed, credential.privateKey).toString('base64url')
  return envelope(credential.id, { clientDataJSON, authenticatorData: data.toString('base64url'), signature })
}

function envelope(id: string, response: object) {
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {}, authenticatorAttachment: 'platform' }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
}

function clientData(type: string, { challenge, origin }: DeviceContext): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

/** CBOR text of fewer than 24 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

function point(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
