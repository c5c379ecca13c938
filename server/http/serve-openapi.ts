// The OpenAPI 3.1 document and its HTML page, both generated from the contract.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { problemSchema } from '#shared/http/api-error.ts'
import { basePath, type Route, type Routes } from '#shared/http/route.ts'
import { apiHeaders } from './security-headers.ts'

type Api = Readonly<Record<string, Routes>>

const accessText = {
  anyone: 'Anyone.',
  'signed-in': 'Signed-in users: session cookie and Session-Token header, bound to each other.',
  premium: 'Premium users.',
  admin: 'Admins.',
} as const

/** Here and not in the schema, because browsers load the schema. */
const challengeText =
  'With 429 where a proof of work admits one try at once. Find for each round from 0 a nonce so that SHA-256 of seed ' +
  '(16 bytes, given in hexadecimal), round and nonce (4 bytes each, big-endian) begins with `bits` zero bits, and repeat ' +
  'the call with `proof: { token, nonces }` in the body. It is valid once, for 5 minutes, for the same account and address.'

const cookieText =
  'Set by a sign-in, and replaced by every call that checks the own password or adds a second factor. ' +
  'The cookie before it is rejected 15 seconds later; the Session-Token stays.'

/** The whole contract as an OpenAPI 3.1 document. */
function openApiDocument(api: Api, title: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, routes] of Object.entries(api)) {
    for (const [name, route] of Object.entries(routes)) {
      const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(feature, name, route) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: 'Made from the contract that server and browser share.' },
    servers: [{ url: basePath }],
    paths,
    components: {
      schemas: {
        Problem: jsonSchema(problemSchema.extend({ challenge: problemSchema.shape.challenge.describe(challengeText) }), 'output'),
      },
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: 'tezi_session', description: cookieText },
        sessionToken: { type: 'apiKey', in: 'header', name: 'Session-Token' },
      },
    },
  }
}

function operation(feature: string, name: string, route: Route): Record<string, unknown> {
  const success = {
    description: 'Done',
    content: { [route.replyType ?? 'application/json']: { schema: jsonSchema(route.reply, 'output') } },
  }
  const rejection = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } }
  const parameters = [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')]
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: route.summary,
    description: accessText[route.access],
    security: route.access === 'anyone' ? [] : [{ sessionCookie: [], sessionToken: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: !route.body.isOptional(), content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
        }),
    responses: {
      [route.status ?? 200]: success,
      ...Object.fromEntries((route.errorStatuses ?? []).map((status) => [status, rejection])),
      default: rejection,
    },
  }
}

function parametersOf(schema: z.ZodType | undefined, location: 'path' | 'query'): unknown[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, member]) => ({
    name,
    in: location,
    required: location === 'path' || !member.isOptional(),
    schema: jsonSchema(member, 'input'),
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

const style =
  'body{font:14px/1.5 system-ui,sans-serif;background:#0b0f14;color:#eef0f3;max-width:60rem;margin:2rem auto;padding:0 1rem}a{color:#5fa1f3}' +
  'article{border-top:1px solid #2b3138;padding:1rem 0}h2{font-size:14px;margin:0}code,pre{font:12px/1.5 ui-monospace,monospace}b{color:#5fa1f3}' +
  'p{margin:.25rem 0;color:#a7adb5}pre{background:#11151b;border:1px solid #2b3138;border-radius:4px;padding:.5rem;overflow:auto}summary{cursor:pointer;color:#a7adb5}'

/** Serves the document at `/api/v1/openapi.json` and a page without scripts at `/api/v1/docs`. */
export function serveOpenApi(app: FastifyInstance, api: Api, title: string): void {
  const document = openApiDocument(api, title)
  const json = JSON.stringify(document)
  const page = docsPage(api, title)
  const styleHash = createHash('sha256').update(style).digest('base64')
  app.get(`${basePath}/openapi.json`, (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  app.get(`${basePath}/docs`, (_request, reply) =>
    reply
      .headers({
        ...apiHeaders,
        'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      })
      .type('text/html; charset=utf-8')
      .send(page),
  )
}

function docsPage(api: Api, title: string): string {
  const articles = Object.entries(api).flatMap(([feature, routes]) =>
    Object.entries(routes).map(([name, route]) => article(`${feature}.${name}`, route)),
  )
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)} API</title><style>${style}</style></head>` +
    `<body><main><h1>${escape(title)} API</h1><p>Base path <code>${basePath}</code>. The same as <a href="${basePath}/openapi.json">openapi.json</a>.</p>${articles.join('')}</main></body></html>`
  )
}

function article(id: string, route: Route): string {
  const body = route.body === undefined ? '' : details('Request body', jsonSchema(route.body, 'input'))
  const errorStatuses = route.errorStatuses === undefined ? '' : `<p>Refusals: ${route.errorStatuses.join(', ')}</p>`
  return (
    `<article id="${escape(id)}"><h2><b>${route.method}</b> <code>${escape(route.path)}</code></h2><p>${escape(route.summary)}</p>` +
    `<p>${escape(accessText[route.access])}</p>${errorStatuses}${body}${details('Reply', jsonSchema(route.reply, 'output'))}</article>`
  )
}

function details(title: string, schema: unknown): string {
  return `<details><summary>${title}</summary><pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre></details>`
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
