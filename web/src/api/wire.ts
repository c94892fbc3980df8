/** The shapes of the wire: generated from the server's document, but for the few calls that it leaves out. */
import type { components } from './schema';

/** A shape of the server's document by its name there, such as `Wire<'Machine'>`. */
export type Wire<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A page of rows; `current` counts from 1. */
export interface Page<Row> {
  records: Row[];
  total: number;
  size: number;
  current: number;
  pages: number;
  /** The total was not counted to its end. */
  totalIsEstimate?: boolean;
}

export interface Captcha {
  key: string;
  /** A data URI. */
  image: string;
}

/** The bare answer of the token calls. A refusal has `error_description` instead and comes with HTTP 200. */
export interface Token {
  access_token: string;
  refresh_token: string;
  tenant_id: string;
  tenant_name: string;
  user_id: string;
  account: string;
  real_name: string;
  role_name: string;
  dept_id: string;
  avatar: string;
  /** 1 while a made-up password has to be changed. */
  must_change_password?: number | string;
}
