/** A response that is JSON already, for calls so frequent that serialising is most of their work. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}
