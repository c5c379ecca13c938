// Addresses of the screens that are not charts.
export const paths = {
  home: '/',
  login: '/login',
  signUp: '/login?mode=sign-up',
  admin: '/admin',
} as const
