// What the wire says of a user, by name: nothing more may leave, and no secret.

export const userFields = [
  '_id',
  'email',
  'isPremium',
  'name',
  'paymentType',
  'phone',
  'premiumEndDate',
  'premiumStartDate',
  'role',
  'status',
  'subscriptionMonths',
  'utrNo',
]
