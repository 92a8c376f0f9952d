/** Reads whose records have only some fields: `client.only("id", "total").list("/orders")`. */
export class Selection {
    #client;
    #fields;
    constructor(client, fields) {
        this.#client = client;
        this.#fields = fields.join(",");
    }
    get(path, ...[input]) {
        return this.#client.get(path, this.#with(input));
    }
    list(path, ...[input]) {
        return this.#client.list(path, this.#with(input));
    }
    pages(path, ...[input]) {
        return this.#client.pages(path, this.#with(input));
    }
    #with(input) {
        const query = input && "query" in input ? input.query : {};
        return { ...input, query: { ...query, fields: this.#fields } };
    }
}
