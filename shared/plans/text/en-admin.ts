// Texts of the page of payment plans and their images, for admins; texts of the specification are verbatim.
import { texts } from '#shared/text/texts.ts'

export const planAdminText = texts('adminPlans', {
  typeTaken: (type: string) => `A ${type} payment plan already exists. You can only have one ${type} plan at a time.`,
  typeFixed: 'The type of a plan cannot be changed',
  noSuchPlan: 'This plan does not exist any more. Please reload.',
  editedMeanwhile: 'Another admin has changed this plan. Please reload.',
  paysAnother: 'The QR code pays another address. Check both before you save.',
  created: 'Payment info created successfully',
  updated: 'Payment info updated successfully',
  deleted: 'Payment info deleted successfully',
  confirmDelete: 'Are you sure you want to delete this payment info?',
  saveFailed: 'Error saving payment info',
  deleteFailed: 'Error deleting payment info',
  imageTooLarge: 'File size too large. Maximum size allowed is 2MB',
  imageType: 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.',
  imageDimensions: 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels',
  imageInvalid: 'Invalid image file',
  imageCompressed: 'Image was compressed to reduce file size.',
  imageStillTooLarge: 'Image is still too large after compression. Please select a smaller image.',
  imageUploaded: 'Image uploaded successfully!',
  imageReadError: 'Error reading file',
})
