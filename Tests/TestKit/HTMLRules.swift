// The rules of the HTML standard and of ARIA in HTML for the elements that our pages may use.

enum HTMLRules {
    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Lines of a name, a colon and words.
    private static func table(_ text: String) -> [String: Set<String>] {
        var table: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            for name in words(String(parts[0])) {
                table[name] = words(parts.count > 1 ? String(parts[1]) : "")
            }
        }
        return table
    }

    /// Elements that may stand in a sentence.
    static let phrasing = words(
        """
        a abbr audio b bdi bdo br button canvas cite code data datalist del dfn em i iframe img input ins kbd label
        map mark meter noscript object output picture progress q ruby s samp script select slot small span strong sub
        sup svg template textarea time u var video wbr
        """
    )
    /// Elements that stand beside paragraphs, and not in a sentence.
    static let flowOnly = words(
        """
        address article aside blockquote details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header
        hgroup hr main menu nav ol p pre search section table ul
        """
    )
    /// Elements with sentences inside.
    static let holdsPhrasing = words(
        """
        p h1 h2 h3 h4 h5 h6 pre span em strong small b i u s code kbd samp var sub sup mark abbr bdi bdo cite q dfn time
        data label button output progress meter legend summary
        """
    )
    /// Elements with paragraphs and sentences inside.
    static let holdsFlow = words(
        """
        body div section article aside nav main header footer form li dd td blockquote figure figcaption details
        fieldset dialog address search dt th caption
        """
    )
    /// Elements that may have inside what may stand in their place.
    static let transparent = words("a ins del noscript object map video audio canvas slot")
    /// The elements that lists, tables and choices have directly inside.
    static let children = table(
        """
        html: head body
        head: title meta link script style base noscript template
        ul ol menu: li script template
        dl: dt dd div script template
        table: caption colgroup thead tbody tfoot tr script template
        thead tbody tfoot: tr script template
        tr: th td script template
        colgroup: col template
        select: option optgroup hr script template
        optgroup: option script template
        picture: source img script template
        datalist: option script template
        option title textarea script style:
        """
    )
    /// Children that are allowed in an element beside its sentences or paragraphs, and whether only as the first child.
    static let ownChildren: [String: (tags: Set<String>, isFirst: Bool)] = [
        "details": (["summary"], true), "fieldset": (["legend"], true), "figure": (["figcaption"], false),
        "summary": (["h1", "h2", "h3", "h4", "h5", "h6"], false),
        "legend": (["h1", "h2", "h3", "h4", "h5", "h6"], false), "video": (["source", "track"], false),
        "audio": (["source", "track"], false), "ruby": (["rt", "rp"], false),
    ]
    /// Elements that may not be anywhere inside an element.
    static let excluded = table(
        """
        form: form
        label: label
        dfn: dfn
        progress: progress
        meter: meter
        header footer: header footer main
        address: address header footer article aside nav section h1 h2 h3 h4 h5 h6
        th dt: header footer article aside nav section h1 h2 h3 h4 h5 h6
        caption: table
        article aside nav section: main
        """
    )
    /// Controls that a label names.
    static let labelable = words("button input meter output progress select textarea")

    /// Attributes that each element may have.
    static let anywhere = words(
        """
        accesskey autocapitalize autofocus class contenteditable dir draggable enterkeyhint hidden id inert inputmode is
        lang nonce popover role slot spellcheck tabindex title translate itemid itemprop itemref itemscope itemtype
        """
    )
    /// Attributes of single elements. Those of `<input>` depend on its type: see `inputAttributes`.
    static let attributes = table(
        """
        a: href target download ping rel hreflang type referrerpolicy
        area: alt coords shape href target download ping rel referrerpolicy
        audio video: src crossorigin poster preload autoplay playsinline loop muted controls width height
        base: href target
        blockquote q: cite
        button: command commandfor disabled form formaction formenctype formmethod formnovalidate formtarget name \
        popovertarget popovertargetaction type value
        canvas: width height
        col colgroup: span
        data li: value
        del ins: cite datetime
        details: name open
        dialog: open closedby
        fieldset: disabled form name
        form: accept-charset action autocomplete enctype method name novalidate target rel
        html: manifest
        iframe: src srcdoc name sandbox allow allowfullscreen width height referrerpolicy loading
        img: alt src srcset sizes crossorigin usemap ismap width height referrerpolicy decoding loading fetchpriority
        label: for
        link: href crossorigin rel media integrity hreflang type referrerpolicy sizes imagesrcset imagesizes as blocking \
        color disabled fetchpriority
        map: name
        meta: name http-equiv content charset media property
        meter: value min max low high optimum
        object: data type name form width height
        ol: reversed start type
        optgroup: disabled label
        option: disabled label selected value
        output: for form name
        progress: value max
        script: src type nomodule async defer crossorigin integrity referrerpolicy blocking fetchpriority
        select: autocomplete disabled form multiple name required size
        source: type media src srcset sizes width height
        style: media blocking
        td: colspan rowspan headers
        textarea: autocomplete cols dirname disabled form maxlength minlength name placeholder readonly required rows wrap
        th: colspan rowspan headers scope abbr
        time: datetime
        track: kind src srclang label default
        """
    )
    /// Attributes that an `<input>` of any type may have.
    static let ofAllInputs = words("type name value form disabled")
    /// Further attributes of an `<input>` of a type.
    static let inputAttributes: [String: Set<String>] = {
        let texts = "autocomplete list readonly required size maxlength minlength pattern placeholder dirname"
        let values = "autocomplete list readonly required min max step"
        return table(
            """
            hidden: autocomplete dirname
            text search url tel: \(texts)
            email: \(texts) multiple
            password: autocomplete readonly required size maxlength minlength pattern placeholder
            date month week time datetime-local: \(values)
            number: \(values) placeholder
            range: autocomplete list min max step
            color: autocomplete list
            checkbox radio: checked required
            file: accept capture multiple required
            submit: formaction formenctype formmethod formnovalidate formtarget popovertarget popovertargetaction dirname
            image: alt src width height formaction formenctype formmethod formnovalidate formtarget
            reset button: popovertarget popovertargetaction
            """
        )
    }()
    /// Attributes whose value is empty or their name.
    static let flags = words(
        """
        allowfullscreen async autofocus autoplay checked controls default defer disabled formnovalidate inert ismap
        itemscope loop multiple muted nomodule novalidate open playsinline readonly required reversed selected
        """
    )
    /// Attributes with a few values.
    static let enumerated = table(
        """
        method formmethod: get post dialog
        enctype formenctype: application/x-www-form-urlencoded multipart/form-data text/plain
        dir: ltr rtl auto
        hidden: hidden until-found
        inputmode: none text tel url email numeric decimal search
        autocapitalize: off none on sentences words characters
        enterkeyhint: enter done go next previous search send
        popover: auto manual hint
        popovertargetaction: toggle show hide
        scope: row col rowgroup colgroup
        loading: eager lazy
        decoding: sync async auto
        wrap: soft hard
        spellcheck: true false
        translate: yes no
        """
    )
    /// Attributes whose value is a number that is not negative.
    static let numbers = words("maxlength minlength size rows cols colspan rowspan span width height")
    /// Attributes with an address.
    static let addresses = words("href src action formaction")
    /// Attributes that name ids of the page.
    static let references = words(
        """
        for form list headers aria-labelledby aria-describedby aria-controls aria-owns aria-details aria-errormessage
        aria-activedescendant popovertarget commandfor
        """
    )
    /// References that name one id.
    static let single = words("form list popovertarget commandfor aria-activedescendant")

    /// Attributes of ARIA.
    static let aria = words(
        """
        activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex
        colindextext colspan controls current describedby description details disabled errormessage expanded flowto
        haspopup hidden invalid keyshortcuts label labelledby level live modal multiline multiselectable orientation owns
        placeholder posinset pressed readonly relevant required roledescription rowcount rowindex rowindextext rowspan
        selected setsize sort valuemax valuemin valuenow valuetext
        """
    )
    /// Values of attributes of ARIA that are one of a few.
    static let ariaValues = table(
        """
        aria-atomic aria-busy aria-modal aria-multiline aria-multiselectable aria-readonly aria-required: true false
        aria-disabled aria-expanded aria-hidden aria-selected: true false
        aria-checked aria-pressed: true false mixed
        aria-current: page step location date time true false
        aria-invalid: true false grammar spelling
        aria-live: off polite assertive
        aria-haspopup: true false menu listbox tree grid dialog
        aria-orientation: horizontal vertical
        aria-sort: ascending descending none other
        """
    )
    /// Roles that are known.
    static let roles = words(
        """
        alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
        complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
        gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar
        menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar
        radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status
        strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
        treegrid treeitem
        """
    )
    /// The roles that an element may have instead of its own. Elements that are not here may have each.
    static let allowedRoles = table(
        """
        h1 h2 h3 h4 h5 h6: none presentation tab
        a: button checkbox menuitem menuitemcheckbox menuitemradio option radio switch tab treeitem
        button: checkbox combobox gridcell link menuitem menuitemcheckbox menuitemradio option radio separator slider \
        switch tab treeitem
        ul ol: group listbox menu menubar none presentation radiogroup tablist toolbar tree directory
        nav: menu menubar none presentation tablist
        form: none presentation search
        header footer: group none presentation
        article: application document feed main none presentation region
        aside: feed none note presentation region search
        section: alert alertdialog application banner complementary contentinfo dialog document feed group log main \
        marquee navigation none note presentation search status tabpanel
        fieldset: none presentation radiogroup
        details: group
        dialog: alertdialog
        dl: group list none presentation
        dt: listitem
        hr: none presentation separator
        select: menu
        main body html head title label legend summary textarea progress meter option optgroup datalist:
        caption dd colgroup col script style template iframe noscript:
        """
    )
}
