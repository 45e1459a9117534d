/**
 * Every call of SPEC §7: its name here, its HTTP method, and its path below `/api/istore/client/`.
 * This file carries no schemas, so the browser can import it; the schemas stand in `endpoints/`.
 */
export const paths = {
  // common3
  clientRegistration: 'POST common3/clientRegistration',
  signon: 'POST common3/signon',
  logout: 'GET common3/logout',
  forgotPassword: 'GET common3/forgotPassword',
  resetPasswordExternal: 'POST common3/resetPasswordExternal',
  pageContent: 'GET common3/pageContent',
  appInfoInit: 'GET common3/appInfoInit',
  userInfo: 'GET common3/userInfo',
  userInfo2: 'GET common3/userInfo2',
  supportedCountries: 'GET common3/supportedCountries',
  provinces: 'GET common3/provinces/:id',
  pickupLocations: 'GET common3/pickupLocations',

  // products
  categories: 'GET productManagement/categories/:id',
  category: 'GET productManagement2/category/:name',
  tag: 'GET productManagement2/tag/:name',
  brand: 'GET productManagement2/brand/:name',
  brands: 'GET productManagement/brands',
  inventory: 'GET inventoryManagement/inventoryByProductAndOptions/:productID',
  productsByConditions: 'POST productManagement/products/searchConditions',
  productsByNameAndCondition: 'GET productManagement/products/search/:nameLike/:condition',
  relatedProducts: 'GET productManagement2/products/relatedProducts/:productid',
  taggedProducts: 'GET productManagement/taggedProducts/:tagid',
  productsOnSale: 'GET productManagement/products/onSale',
  product: 'GET productManagement/product/:id',
  products: 'GET productManagement2/products',
  productCount: 'GET productManagement2/products/listCount',
  productFacets: 'GET productManagement2/products/facets',
  productsByTag: 'GET productManagement2/products/tag/:tagName',
  productSearch: 'GET productManagement2/products/search/:nameLike',
  productSearchCount: 'GET productManagement2/products/searchCount/:nameLike',
  productSuggestions: 'GET productManagement2/products/suggest/:nameLike',

  // cart and checkout
  myCart: 'GET shoppingManagement4/myCart',
  addToCart: 'POST shoppingManagement4/myCart/:itemName',
  updateCartItem: 'PUT shoppingManagement4/myCart/:itemName',
  deleteCartItem: 'POST shoppingManagement4/myCart/delete',
  updateCustomerComment: 'POST shoppingManagement4/updateCustomerComment',
  couponVerification: 'GET shoppingManagement4/couponVerification/:code',
  removeCoupon: 'POST shoppingManagement4/removeCoupon',
  tips: 'POST shoppingManagement4/tips',
  checkoutConfig: 'GET shoppingManagement4/checkoutConfig',
  paymentConfig: 'GET shoppingManagement4/paymentConfig',
  shippingMethods: 'GET shoppingManagement4/shippingMethods',
  pickupSlots: 'GET shoppingManagement4/pickupSlots',
  orderDeliverInfo: 'POST shoppingManagement4/orderDeliverInfo',
  orderContactInfo: 'POST shoppingManagement4/orderContactInfo',
  orderPickupDate: 'POST shoppingManagement4/orderPickupDate',
  reserve: 'POST shoppingManagement4/reserve',
  getBilling: 'GET shoppingManagement4/billing/:gatewayName',
  postBilling: 'POST shoppingManagement4/billing/:gatewayName',
  stripePublicKey: 'GET shoppingManagement4/stpubkey',
  payByStripe: 'POST shoppingManagement4/stbilling/Stripe',
  payPalOption: 'GET shoppingManagement4/paymentoption/PayPal',
  payPalToken: 'GET shoppingManagement4/payPalToken',
  payPalPayment: 'POST shoppingManagement4/payPalPayment',
  braintreeToken: 'GET shoppingManagement4/btToken',
  payByBraintree: 'POST shoppingManagement4/btbilling/Braintree',
  resumePayment: 'POST shoppingManagement4/resumePayment',
  cancelPayment: 'POST shoppingManagement4/cancelPayment',
  houseChallenge: 'POST shoppingManagement4/houseChallenge',

  // accounts
  updateUserInfo: 'PUT admin/userManagement/userInfo',
  resetPassword: 'POST admin/userManagement/resetPassword',
  getAddresses: 'GET admin/userManagement/getAddresses/:userId/type/:addressType',
  updateAddresses: 'POST admin/userManagement/updateAddresses/:addressType/:id',
  accountData: 'GET admin/userManagement/accountData',
  accountSessions: 'GET admin/userManagement/sessions',
  endSessions: 'POST admin/userManagement/endSessions',
  deleteAccount: 'POST admin/userManagement/deleteAccount',

  // blog
  blogs: 'GET blog/blogs',
  storeBlog: 'GET blog/storeBlog/:storeBlogId',
  blogConfig: 'GET blog/blogConfig/:storeBlogId',
  blogPost: 'GET blog/blogPost/:link',
  blogPosts: 'GET blog/blogPosts/:storeBlogId',
  blogTags: 'GET blog/blogTags/:storeBlogId',
  blogLikes: 'GET blog/blogPost/likes/:storeBlogId/:storeBlogPostId',
  likeBlogPost: 'GET blog/blogPost/like/:storeBlogId/:storeBlogPostId/:like',

  // forms, feeds, photographs
  submitForm: 'POST message/submitForm',
  readFeed: 'GET feed/read',
  recentPhotos: 'GET social/ig/recent',

  // orders
  customerOrders: 'GET admin/orderManagement/customer/:customerid/orders',
  order: 'GET admin/orderManagement/order/:id',
} as const;

export type EndpointName = keyof typeof paths;
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** Splits a path entry into its method and its path below the API base. */
export function methodAndPath(name: EndpointName): { method: HttpMethod; path: string } {
  const [method, path] = paths[name].split(' ') as [HttpMethod, string];
  return { method, path };
}
