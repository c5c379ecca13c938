// Address and limits of error reports, also for the browser's reporter, which must not load zod.

export const errorReportPath = '/error-reports'

/** Characters. */
export const messageMax = 300
export const stackMax = 4000
export const pathMax = 200
export const releaseMax = 80
