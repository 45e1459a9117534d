/** The names of stock locations: the warehouse or a store. */

/** The location that ships. Every other location is a store's id. */
export const warehouse = 'warehouse';
