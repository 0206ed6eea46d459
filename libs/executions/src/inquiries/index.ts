export { createInquiries, OPEN_INQUIRIES, type Inquiries, type InquiriesDeps } from './inquiries';
export { expiryOf, INQUIRER, inquiryOf, type Inquiry, type Responder } from './inquiry';
