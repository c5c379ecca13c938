// Where the router lands when a screen fails: a calm page per refusal, the crash screen for all else.
import { Suspense, useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { BadRequestScreen, ForbiddenScreen, MethodNotAllowedScreen, NotFoundScreen } from '../screens.tsx'
import { CrashScreen } from './crash.tsx'

const screenByStatus = new Map([
  [400, BadRequestScreen],
  [403, ForbiddenScreen],
  [404, NotFoundScreen],
  [405, MethodNotAllowedScreen],
])

/** The error itself goes to the console only. */
export function ErrorScreen() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  const Screen = isRouteErrorResponse(error) ? screenByStatus.get(error.status) : undefined
  return Screen === undefined ? (
    <CrashScreen />
  ) : (
    <Suspense fallback={null}>
      <Screen />
    </Suspense>
  )
}
