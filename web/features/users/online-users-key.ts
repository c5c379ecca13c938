// Key of the query of online users: in a module of its own, because pages without that query use it.
export const onlineUsersKey = ['online-users'] as const
