// The public fields of a user: exactly these may be returned, and no secret.

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
